import { HttpClient } from '@angular/common/http';
import { Injectable } from '@angular/core';
import { Observable, shareReplay } from 'rxjs';

export interface Customer {
  id: string;
  name: string;
}

@Injectable({ providedIn: 'root' })
export class CustomerService {
  private customers$: Observable<Customer[]> | null = null;

  constructor(private readonly http: HttpClient) {}

  preload(): void {
    this.customers$ ??= this.http.get<Customer[]>('/api/customers').pipe(shareReplay(1));
  }

  getCustomer(customerId: string): Observable<Customer> {
    return this.http.get<Customer>(`/api/customers/${customerId}`);
  }
}
