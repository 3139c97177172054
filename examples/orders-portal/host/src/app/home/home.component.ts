import { Component } from '@angular/core';

@Component({
  selector: 'portal-home',
  standalone: true,
  template: `<h1>Welcome</h1>`,
})
export class HomeComponent {}
