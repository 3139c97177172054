export interface OrderLine {
  sku: string;
  quantity: number;
}

export interface Order {
  id: string;
  customerId: string;
  customerName: string;
  status: 'open' | 'shipped' | 'cancelled';
  invoiceId: string | null;
  placedAt: string;
  lines: OrderLine[];
}
