import { frameworkSuite } from "./suite.js"

frameworkSuite({
  id: "qwik",
  name: "Qwik",
  major: 1,
  versions: ["@builder.io/qwik", "vite"],
  example: "./apps/qwik",
  build: [
    ["vite", "build"],
    ["vite", "build", "--config", "vite.server.config.ts"],
  ],
  start: ["node", "server/entry.node-server.js"],
  ownServer:
    "Qwik reads the headers of a proxy from every request or from none, and never responds to some invalid hosts",
  below: {
    files: {
      "vite.config.ts": `import { qwikCity } from "@builder.io/qwik-city/vite"
import { qwikVite } from "@builder.io/qwik/optimizer"

export default { base: "/docs/", plugins: [qwikCity({ basePathname: "/docs/", trailingSlash: false }), qwikVite()] }
`,
    },
  },
  script: { path: (path) => path.replace(/\/?(?=\?|$)/, "/q-data.json") },
  pages: true,
  client: false,
  except: { "urls.auth-url": "As with `@auth/qwik`, the path of the routes is in the configuration" },
})
