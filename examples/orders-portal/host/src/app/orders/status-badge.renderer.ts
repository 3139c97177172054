import { Component } from '@angular/core';
import { ICellRendererAngularComp } from 'ag-grid-angular';
import { ICellRendererParams } from 'ag-grid-community';

@Component({
  selector: 'portal-status-badge',
  standalone: true,
  template: `<span class="badge" [class]="status">{{ status }}</span>`,
})
export class StatusBadgeRenderer implements ICellRendererAngularComp {
  status = '';

  agInit(params: ICellRendererParams): void {
    this.status = params.value;
  }

  refresh(): boolean {
    return false;
  }
}
