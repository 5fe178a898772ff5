import { frameworkSuite } from "./suite.js"

const reason = "Astro's `checkOrigin` refuses forms if the proxy passes another host"

frameworkSuite({
  id: "astro-check-origin",
  name: "Astro",
  major: 7,
  versions: ["astro", "@astrojs/node"],
  example: "astro",
  build: [["astro", "build"]],
  start: ["node", "dist/server/entry.mjs"],
  pages: true,
  client: true,
  except: { "urls.proxy": reason, "urls.proxy-forms": reason, "urls.fixed-origin": reason },
})
