import { AsyncPipe } from '@angular/common';
import { Component, Input } from '@angular/core';
import { CustomerService } from './customer.service';

@Component({
  selector: 'portal-customer-page',
  standalone: true,
  imports: [AsyncPipe],
  template: `
    @if (customer$ | async; as customer) {
      <h1>{{ customer.name }}</h1>
    }
  `,
})
export class CustomerPageComponent {
  constructor(private readonly customerService: CustomerService) {}

  @Input({ required: true }) set customerId(id: string) {
    this.customer$ = this.customerService.getCustomer(id);
  }

  customer$ = this.customerService.getCustomer('');
}
