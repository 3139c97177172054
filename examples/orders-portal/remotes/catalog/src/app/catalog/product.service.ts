import { HttpClient } from '@angular/common/http';
import { Injectable } from '@angular/core';
import { Observable } from 'rxjs';

export interface Product {
  sku: string;
  title: string;
}

@Injectable({ providedIn: 'root' })
export class ProductService {
  constructor(private readonly http: HttpClient) {}

  search(term: string): Observable<Product[]> {
    return this.http.get<Product[]>('/api/products', { params: { term } });
  }
}
