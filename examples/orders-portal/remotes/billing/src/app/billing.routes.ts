import { Routes } from '@angular/router';
import { InvoiceDetailComponent } from './invoice-detail.component';
import { InvoicesPageComponent } from './invoices-page.component';

export const BILLING_ROUTES: Routes = [
  { path: '', pathMatch: 'full', redirectTo: 'invoices' },
  { path: 'invoices', component: InvoicesPageComponent },
  { path: 'invoices/:invoiceId', component: InvoiceDetailComponent },
];
