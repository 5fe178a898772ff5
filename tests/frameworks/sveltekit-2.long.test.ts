import { frameworkSuite } from "./suite.js"

const installed = "../../sveltekit/with-2/node_modules"

frameworkSuite({
  id: "sveltekit-2",
  name: "SvelteKit",
  major: 2,
  versions: ["@sveltejs/kit", "@sveltejs/adapter-node"],
  example: "sveltekit-custom",
  packages: {
    "@sveltejs/adapter-node": `${installed}/@sveltejs/adapter-node`,
    "@sveltejs/kit": `${installed}/@sveltejs/kit`,
    "@sveltejs/vite-plugin-svelte": `${installed}/@sveltejs/vite-plugin-svelte`,
  },
  // Version 2 has its options in a file of its own, and reads variables without a list of them.
  files: {
    "svelte.config.js":
      'import adapter from "@sveltejs/adapter-node"\nexport default { kit: { adapter: adapter() } }\n',
    "vite.config.ts": 'import { sveltekit } from "@sveltejs/kit/vite"\nexport default { plugins: [sveltekit()] }\n',
    "tsconfig.json": '{ "extends": "./.svelte-kit/tsconfig.json" }\n',
    "src/env.ts": "",
    // Without an icon, version 2 responds with its error page, whose headers preload scripts. The sign-in page blocks them.
    "static/favicon.ico": "",
  },
  build: [["vite", "build"]],
  start: ["node", "serve.mjs"],
  ownServer: "`@sveltejs/adapter-node` assumes HTTPS, unless a proxy sends a header with the scheme",
  script: { headers: { "x-sveltekit-action": "true", accept: "application/json" } },
  pages: true,
  client: true,
})
