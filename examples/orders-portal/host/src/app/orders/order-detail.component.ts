import { AsyncPipe, DatePipe } from '@angular/common';
import { Component, Input, OnInit, inject } from '@angular/core';
import { Observable } from 'rxjs';
import { CustomerService } from '../customers/customer.service';
import { Order } from './order.model';
import { OrderService } from './order.service';

@Component({
  selector: 'portal-order-detail',
  standalone: true,
  imports: [AsyncPipe, DatePipe],
  template: `
    @if (order$ | async; as order) {
      <h1>Order {{ order.id }}</h1>
      <p>Placed {{ order.placedAt | date }}</p>
    }
  `,
})
export class OrderDetailComponent implements OnInit {
  @Input({ required: true }) orderId!: string;
  order$!: Observable<Order>;

  private readonly orderService = inject(OrderService);
  private readonly customerService = inject(CustomerService);

  ngOnInit(): void {
    this.order$ = this.orderService.getOrder(this.orderId);
    this.customerService.preload();
  }
}
