import { HttpClient } from '@angular/common/http';
import { Injectable } from '@angular/core';
import { Observable } from 'rxjs';

export interface Invoice {
  id: string;
  orderId: string;
  total: number;
}

@Injectable({ providedIn: 'root' })
export class InvoiceService {
  constructor(private readonly http: HttpClient) {}

  listInvoices(): Observable<Invoice[]> {
    return this.http.get<Invoice[]>('/api/invoices');
  }

  getInvoice(invoiceId: string): Observable<Invoice> {
    return this.http.get<Invoice>(`/api/invoices/${invoiceId}`);
  }
}
