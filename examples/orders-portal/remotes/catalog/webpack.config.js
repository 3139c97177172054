const ModuleFederationPlugin = require('webpack/lib/container/ModuleFederationPlugin');

module.exports = {
  output: { uniqueName: 'catalog', publicPath: 'auto' },
  optimization: { runtimeChunk: false },
  plugins: [
    new ModuleFederationPlugin({
      name: 'catalog',
      filename: 'remoteEntry.js',
      exposes: {
        './Module': './src/app/catalog/catalog.module.ts',
      },
      shared: { '@angular/core': { singleton: true }, '@angular/router': { singleton: true } },
    }),
  ],
};
