// Grounded answers: what a model may send, what it is answered, and what an Evidence line holds.

export * from './aliases.ts';
export * from './canon.ts';
export * from './envelope.ts';
export * from './evidence-line.ts';
export * from './rejections.ts';
export * from './response-format.ts';
export * from './story.ts';
export * from './strict-json.ts';
export * from './tool-args.ts';
export * from './tool-receipt.ts';
