import { Component, Input } from '@angular/core';

@Component({
  selector: 'catalog-product-page',
  template: `<h1>{{ sku }}</h1>`,
})
export class ProductPageComponent {
  @Input() sku = '';
}
