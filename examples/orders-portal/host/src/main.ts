import { loadManifest } from '@angular-architects/module-federation';

loadManifest('/assets/mf.manifest.json')
  .catch((error) => console.error(error))
  .then(() => import('./bootstrap'))
  .catch((error) => console.error(error));
