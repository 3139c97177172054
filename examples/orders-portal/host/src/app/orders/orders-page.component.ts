import { AsyncPipe } from '@angular/common';
import { Component, inject } from '@angular/core';
import { Router } from '@angular/router';
import { AgGridAngular } from 'ag-grid-angular';
import { CellClickedEvent, ColDef } from 'ag-grid-community';
import { Order } from './order.model';
import { OrderLinkRenderer } from './order-link.renderer';
import { OrderService } from './order.service';
import { StatusBadgeRenderer } from './status-badge.renderer';

@Component({
  selector: 'portal-orders-page',
  standalone: true,
  imports: [AgGridAngular, AsyncPipe],
  templateUrl: './orders-page.component.html',
})
export class OrdersPageComponent {
  private readonly router = inject(Router);
  private readonly orderService = inject(OrderService);

  readonly orders$ = this.orderService.listOrders();
  readonly defaultColDef: ColDef<Order> = { sortable: true, resizable: true };

  readonly columnDefs: ColDef<Order>[] = [
    { field: 'id', headerName: 'Order', cellRenderer: OrderLinkRenderer },
    { field: 'customerName', headerName: 'Customer', colId: 'customer' },
    { field: 'status', headerName: 'Status', cellRenderer: StatusBadgeRenderer },
    { field: 'placedAt', headerName: 'Placed', valueFormatter: ({ value }) => new Date(value).toLocaleDateString() },
    {
      field: 'invoiceId',
      headerName: 'Invoice',
      onCellClicked: (event) => this.router.navigate(['/billing', 'invoices', event.value]),
    },
  ];

  onCellClicked(event: CellClickedEvent<Order>): void {
    if (event.column.getColId() === 'customer') {
      this.router.navigateByUrl(`/customers/${event.data?.customerId}`);
    }
  }
}
