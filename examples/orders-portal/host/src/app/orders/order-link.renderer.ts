import { Component, inject } from '@angular/core';
import { Router } from '@angular/router';
import { ICellRendererAngularComp } from 'ag-grid-angular';
import { ICellRendererParams } from 'ag-grid-community';
import { Order } from './order.model';

@Component({
  selector: 'portal-order-link',
  standalone: true,
  template: `<button type="button" (click)="open()">{{ label }}</button>`,
})
export class OrderLinkRenderer implements ICellRendererAngularComp {
  private readonly router = inject(Router);
  private orderId = '';
  label = '';

  agInit(params: ICellRendererParams<Order>): void {
    this.orderId = params.data?.id ?? '';
    this.label = `#${this.orderId}`;
  }

  refresh(params: ICellRendererParams<Order>): boolean {
    this.agInit(params);
    return true;
  }

  open(): void {
    this.router.navigate(['/orders', this.orderId]);
  }
}
