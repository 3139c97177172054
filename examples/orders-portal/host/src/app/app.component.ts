import { Component } from '@angular/core';
import { RouterLink, RouterOutlet } from '@angular/router';

@Component({
  selector: 'portal-root',
  standalone: true,
  imports: [RouterLink, RouterOutlet],
  template: `
    <nav>
      <a routerLink="/orders">Orders</a>
      <a routerLink="/billing">Billing</a>
      <a routerLink="/catalog">Catalog</a>
    </nav>
    <router-outlet></router-outlet>
  `,
})
export class AppComponent {}
