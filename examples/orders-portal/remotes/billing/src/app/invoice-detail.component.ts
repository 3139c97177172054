import { Component, Input, OnChanges } from '@angular/core';
import { Invoice, InvoiceService } from './invoice.service';

@Component({
  selector: 'billing-invoice-detail',
  standalone: true,
  template: `<h1>Invoice {{ invoice?.id }}</h1>`,
})
export class InvoiceDetailComponent implements OnChanges {
  @Input({ required: true }) invoiceId!: string;
  invoice: Invoice | null = null;

  constructor(private readonly invoiceService: InvoiceService) {}

  ngOnChanges(): void {
    this.invoiceService.getInvoice(this.invoiceId).subscribe((invoice) => (this.invoice = invoice));
  }
}
