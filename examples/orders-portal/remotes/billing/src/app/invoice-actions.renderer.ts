import { Component } from '@angular/core';
import { RouterLink } from '@angular/router';
import { ICellRendererAngularComp } from 'ag-grid-angular';
import { ICellRendererParams } from 'ag-grid-community';

@Component({
  selector: 'billing-invoice-actions',
  standalone: true,
  imports: [RouterLink],
  templateUrl: './invoice-actions.renderer.html',
})
export class InvoiceActionsRenderer implements ICellRendererAngularComp {
  invoiceId = '';

  agInit(params: ICellRendererParams): void {
    this.invoiceId = params.value;
  }

  refresh(): boolean {
    return false;
  }
}
