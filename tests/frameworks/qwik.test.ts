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
    "the one that Qwik generates reads no headers of a proxy, and never responds to a request with an invalid host",
  below: {
    files: {
      "vite.config.ts": `import { qwikCity } from "@builder.io/qwik-city/vite"
import { qwikVite } from "@builder.io/qwik/optimizer"

export default { base: "/docs/", plugins: [qwikCity({ basePathname: "/docs/", trailingSlash: false }), qwikVite()] }
`,
    },
  },
  pages: true,
  client: false,
  except: { "urls.auth-url": "As with `@auth/qwik`, the path of the routes is in the configuration" },
})
