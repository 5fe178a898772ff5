import { filesIn } from "./files.js"
import { frameworkSuite } from "./suite.js"

const installed = "../../qwik/with-2/node_modules"
const names = ["@qwik.dev/core", "@qwik.dev/router", "vite"]

/** The pages of Qwik 1, with the packages of Qwik 2. */
const pages = Object.entries(filesIn("apps/qwik/src/routes")).map(([path, text]) => [
  `src/routes/${path}`,
  text.replaceAll("@builder.io/qwik-city", "@qwik.dev/router").replaceAll("@builder.io/qwik", "@qwik.dev/core"),
])

frameworkSuite({
  id: "qwik-2",
  name: "Qwik",
  major: 2,
  versions: ["@qwik.dev/router", "vite"],
  example: "./apps/qwik",
  build: [
    ["vite", "build"],
    ["vite", "build", "--config", "vite.server.config.ts"],
  ],
  start: ["node", "server/entry.node-server.js"],
  ownServer:
    "Qwik reads the headers of a proxy from every request or from none, and never responds to some invalid hosts",
  packages: Object.fromEntries(names.map((name) => [name, `${installed}/${name}`])),
  tools: names,
  files: {
    ...filesIn("apps/qwik-2"),
    ...Object.fromEntries(pages),
    // Qwik looks for packages with its code in the dependencies.
    "package.json": JSON.stringify({
      private: true,
      type: "module",
      dependencies: { "@latchkey/core": "*", "@latchkey/sql": "*" },
      devDependencies: { "@latchkey/qwik": "*", "@qwik.dev/core": "*", "@qwik.dev/router": "*", vite: "*" },
    }),
  },
  script: { path: (path) => path.replace(/\/?(?=\?|$)/, "/q-data.json") },
  pages: true,
  client: false,
  except: {
    "urls.auth-url": "As with `@auth/qwik`, the path of the routes is in the configuration",
  },
})
