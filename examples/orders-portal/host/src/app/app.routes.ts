import { loadRemoteModule } from '@angular-architects/module-federation';
import { Routes } from '@angular/router';
import { HomeComponent } from './home/home.component';

export const APP_ROUTES: Routes = [
  { path: '', pathMatch: 'full', component: HomeComponent },
  {
    path: 'orders',
    loadChildren: () => import('./orders/orders.routes').then((m) => m.ORDERS_ROUTES),
  },
  {
    path: 'customers/:customerId',
    loadComponent: () => import('./customers/customer-page.component').then((m) => m.CustomerPageComponent),
  },
  {
    path: 'billing',
    loadChildren: () =>
      loadRemoteModule({ type: 'manifest', remoteName: 'billing', exposedModule: './Routes' }).then((m) => m.BILLING_ROUTES),
  },
  {
    path: 'catalog',
    loadChildren: () => import('catalog/Module').then((m) => m.CatalogModule),
  },
  {
    path: 'reports',
    loadChildren: () =>
      loadRemoteModule({
        type: 'module',
        remoteEntry: 'http://localhost:4203/remoteEntry.js',
        exposedModule: './Reports',
      }).then((m) => m.REPORTS_ROUTES),
  },
  { path: '**', redirectTo: '' },
];
