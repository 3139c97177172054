import { Component } from '@angular/core';
import { AgGridAngular } from 'ag-grid-angular';
import { GridOptions } from 'ag-grid-community';
import { InvoiceActionsRenderer } from './invoice-actions.renderer';
import { Invoice, InvoiceService } from './invoice.service';

@Component({
  selector: 'billing-invoices-page',
  standalone: true,
  imports: [AgGridAngular],
  template: `<ag-grid-angular [gridOptions]="gridOptions" [rowData]="invoices"></ag-grid-angular>`,
})
export class InvoicesPageComponent {
  invoices: Invoice[] = [];

  readonly gridOptions: GridOptions<Invoice> = {
    components: { invoiceActions: InvoiceActionsRenderer },
    columnDefs: [
      { field: 'id', headerName: 'Invoice', cellRenderer: 'invoiceActions' },
      { field: 'orderId', headerName: 'Order', cellRenderer: 'orderLookup' },
      { field: 'total', headerName: 'Total', type: 'numericColumn' },
    ],
  };

  constructor(private readonly invoiceService: InvoiceService) {
    this.invoiceService.listInvoices().subscribe((invoices) => (this.invoices = invoices));
  }
}
