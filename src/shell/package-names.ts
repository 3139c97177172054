// Names of packages that are one slip away from a well-known one. Such a name is more often a trap than a package that was meant.

import type { Argument } from './words.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const KNOWN: Readonly<Record<string, ReadonlySet<string>>> = {
  pip: words(
    'requests numpy pandas scipy django flask fastapi pytest setuptools urllib3 certifi boto3 botocore cryptography pillow matplotlib scikit-learn tensorflow pytorch torch transformers sqlalchemy pydantic jinja2 pyyaml python-dateutil beautifulsoup4 selenium celery redis psycopg2 pymongo aiohttp httpx uvicorn gunicorn click colorama tqdm openai anthropic langchain paramiko virtualenv poetry black mypy ruff isort flake8 pylint coverage tox attrs packaging protobuf grpcio jupyter notebook streamlit seaborn plotly networkx sympy nltk spacy gensim keras xgboost lightgbm opencv-python wheel twine',
  ),
  npm: words(
    'react react-dom preact lodash express typescript webpack eslint prettier axios chalk commander moment dayjs jquery vue vuex next nuxt svelte angular vite vitest jest mocha chai sinon babel rollup esbuild nodemon dotenv cross-env rimraf uuid yargs inquirer request bluebird async debug underscore ramda rxjs redux mobx zustand graphql apollo prisma mongoose sequelize typeorm knex socket.io puppeteer playwright cypress storybook tailwindcss postcss autoprefixer styled-components bootstrap electron fastify koa hapi passport jsonwebtoken bcrypt bcryptjs nodemailer multer cors helmet morgan winston pino zod yup formik undici node-fetch colors coloring',
  ),
  cargo: words(
    'serde serde_json tokio clap rand regex anyhow thiserror log env_logger tracing hyper reqwest axum actix-web rayon chrono itertools lazy_static once_cell futures async-trait bytes uuid sqlx diesel rocket warp tonic prost criterion proptest tempfile walkdir',
  ),
};
const KIND: Readonly<Record<string, keyof typeof KNOWN>> = {
  ...{ pip: 'pip', pip3: 'pip', uv: 'pip', poetry: 'pip', pipx: 'pip', pdm: 'pip', pipenv: 'pip', cargo: 'cargo' },
  ...{ npm: 'npm', pnpm: 'npm', yarn: 'npm', bun: 'npm' },
};
export const INSTALLERS: readonly string[] = Object.keys(KIND);

/** A well-known package that one of the names is a slip of; null: none. */
export function nearMiss(installer: string, args: readonly Argument[]): string | null {
  const known = KNOWN[KIND[installer] ?? ''];
  if (known === undefined) return null;
  for (const { value } of args.slice(0, 40)) {
    const name = value?.replace(/(?:[=<>~!^@[].*)$/s, '').toLowerCase() ?? '';
    if (name.length < 5 || name.length > 30 || !/^[a-z][\w.-]+$/.test(name) || known.has(name)) continue;
    for (const each of known) if (each.length >= 5 && isOneSlip(name, each)) return each;
  }
  return null;
}

/** One letter more, less, other, or two swapped. */
export function isOneSlip(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let from = 0;
  while (from < a.length && a[from] === b[from]) from++;
  const rest = (text: string, skip: number): string => text.slice(from + skip);
  if (a.length === b.length)
    return rest(a, 1) === rest(b, 1) || (a[from] === b[from + 1] && a[from + 1] === b[from] && rest(a, 2) === rest(b, 2));
  return a.length > b.length ? rest(a, 1) === rest(b, 0) : rest(a, 0) === rest(b, 1);
}
