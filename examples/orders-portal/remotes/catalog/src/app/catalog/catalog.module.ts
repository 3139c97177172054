import { CommonModule } from '@angular/common';
import { NgModule } from '@angular/core';
import { RouterModule } from '@angular/router';
import { ProductListComponent } from './product-list.component';
import { ProductPageComponent } from './product-page.component';

@NgModule({
  declarations: [ProductListComponent, ProductPageComponent],
  imports: [
    CommonModule,
    RouterModule.forChild([
      { path: '', component: ProductListComponent },
      { path: ':sku', component: ProductPageComponent },
    ]),
  ],
})
export class CatalogModule {}
