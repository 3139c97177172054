import { Component } from '@angular/core';
import { ProductService } from './product.service';

@Component({
  selector: 'catalog-product-list',
  template: `
    <ul>
      <li *ngFor="let product of products$ | async">
        <a [routerLink]="['/catalog', product.sku]">{{ product.title }}</a>
      </li>
    </ul>
  `,
})
export class ProductListComponent {
  readonly products$ = this.products.search('');

  constructor(private readonly products: ProductService) {}
}
