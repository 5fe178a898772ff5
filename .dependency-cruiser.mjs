// Which file may import which, type imports included. Run it with `npm run check -- layers`.

/**
 * The layers of packages/core/src, top to bottom. A file imports from its own row and from the rows below it.
 * A name is a folder, or a file next to the folders.
 */
const layers = [
  ["index", "adapters", "captcha", "edge", "env", "jwt", "node-http", "options", "types"],
  ["integration", "framework"],
  ["server"],
  ["engine"],
  ["features"],
  ["session-reader"],
  ["config"],
  ["account", "endpoints", "module", "revoke", "signin"],
  ["session"],
  ["html", "http", "limits", "crypto", "observability"],
  ["model", "module-kit", "provider-kit", "store-kit", "providers", "mail", "i18n"],
  ["errors", "primitives"],
]

/** What exists only for next-auth 4 and Auth.js v5. It fits into several layers, so it has no row. */
const compat = "^packages/core/src/compat/"

/** A provider is data. It's part of middleware, so it must not import the engine, a page, an email template or a language. */
const providersMayImport = ["providers", "provider-kit", "model", "errors", "primitives"]

/** The packages of this repository that a package may import. */
const siblings = {
  core: [],
  audit: ["core", "sql"],
  client: ["core"],
  react: ["client", "core"],
  "solid-start": ["client", "core", "solid"],
  next: ["core", "react"],
  "next-auth-4": ["core", "react"],
  hono: ["core", "react"],
  nuxt: ["core", "h3", "vue"],
  "react-router": ["core", "react"],
  "tanstack-start": ["core", "react"],
  "rate-limit": ["core", "redis"],
  sveltekit: ["client", "core", "svelte"],
}
const otherSiblings = ["core", "client"]

const error = /** @type {const} */ ("error")

/** @param {readonly string[]} names of folders and files in `layers` */
function inCore(names) {
  return `^packages/core/(?:src|dist)/(?:${names.join("|")})(?:/|\\.d\\.ts$|\\.[jt]s$)`
}

/** @param {string} from a pattern @param {readonly string[]} allowed */
function siblingRule(from, allowed) {
  return {
    name: "siblings",
    comment: "This package may not depend on that one. See `siblings` in .dependency-cruiser.mjs.",
    severity: error,
    from: { path: `^packages/(${from})/src/` },
    to: { path: "^packages/", pathNot: `^packages/(?:${["$1", ...allowed].join("|")})/` },
  }
}

/** @type {import("dependency-cruiser").IConfiguration} */
export default {
  forbidden: [
    {
      name: "cycle",
      comment: "Move what the files share into a file of its own.",
      severity: error,
      from: { path: "^packages/[^/]+/src/" },
      to: { circular: true },
    },
    {
      name: "core-layer-missing",
      comment: "Give this folder or file a row in `layers` in .dependency-cruiser.mjs.",
      severity: error,
      from: { path: "^packages/core/src/", pathNot: [inCore(layers.flat()), compat] },
      to: {},
    },
    ...layers.slice(1).map((row, index) => ({
      name: "core-layers",
      comment: "Imports in core point downwards. Move what both files need to a lower layer.",
      severity: error,
      from: { path: inCore(row) },
      // `defineModule` brings what the engine does with modules, so that a bundle without modules has none of it.
      to: { path: inCore(layers.slice(0, index + 1).flat()), pathNot: "/module/seam\\.ts$" },
    })),
    {
      name: "features-apart",
      comment: "A feature imports no other one. Move what both need into core.",
      severity: error,
      from: { path: "^packages/core/src/features/([^/]+)/" },
      to: { path: "^packages/core/src/features/", pathNot: "^packages/core/src/features/$1/" },
    },
    {
      name: "core-without-features",
      comment: "Only engine/features.ts names features. The engine reaches them through its table.",
      severity: error,
      from: { path: "^packages/core/src/", pathNot: "^packages/core/src/(?:features/|engine/features\\.ts$)" },
      to: { path: "^packages/core/src/features/" },
    },
    {
      name: "compat-behind-doors",
      comment:
        "Code for sign-ins of other versions loads through compat/attempts.ts, and not at all with `compat: false`.",
      severity: error,
      from: { path: "^packages/core/src/", pathNot: "^packages/core/src/features/oauth/compat/" },
      to: { path: "^packages/core/src/features/oauth/compat/", pathNot: "/attempts\\.ts$" },
    },
    {
      name: "providers-are-data",
      comment: `Of core, a provider may import only ${providersMayImport.join(", ")}.`,
      severity: error,
      from: { path: inCore(["providers", "provider-kit"]) },
      to: { path: "^packages/core/", pathNot: inCore(providersMayImport) },
    },
    ...Object.entries(siblings).map(([name, allowed]) => siblingRule(name, allowed)),
    siblingRule(`(?!(?:${Object.keys(siblings).join("|")})/)[^/]+`, otherSiblings),
    {
      name: "other-sources",
      comment: "Import another package by its name, not by a path to its sources.",
      severity: error,
      from: { path: "^packages/([^/]+)/src/" },
      to: { path: "^packages/[^/]+/src/", pathNot: "^packages/$1/src/" },
    },
    {
      name: "undeclared",
      comment: "Add the package to `dependencies` or `peerDependencies` in package.json.",
      severity: error,
      from: { path: "^packages/[^/]+/src/" },
      to: {
        dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"],
        // What `imports` in package.json lead to isn't looked up.
        dependencyTypesNot: ["npm", "npm-peer", "npm-optional", "aliased-subpath-import"],
      },
    },
    {
      name: "unresolvable",
      comment: "No such file, or a package that package.json does not declare.",
      severity: error,
      from: { path: "^packages/[^/]+/src/" },
      // Modules that SvelteKit's Vite plugin provides start with a dollar sign.
      to: { couldNotResolve: true, pathNot: "^\\$(?:app|env)/" },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: ["node_modules", "/dist/"] },
    exclude: { path: "\\.test\\.tsx?$" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["types", "import", "node", "default"] },
  },
}
