import { Routes } from '@angular/router';
import { OrderDetailComponent } from './order-detail.component';
import { OrdersPageComponent } from './orders-page.component';

export const ORDERS_ROUTES: Routes = [
  { path: '', component: OrdersPageComponent },
  { path: ':orderId', component: OrderDetailComponent },
];
