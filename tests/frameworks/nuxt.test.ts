import { frameworkSuite } from "./suite.js"

frameworkSuite({
  id: "nuxt",
  name: "Nuxt",
  major: 4,
  versions: ["nuxt", "vue"],
  example: "nuxt",
  build: [["nuxt", "build"]],
  start: ["node", ".output/server/index.mjs"],
  below: { env: { NUXT_APP_BASE_URL: "/docs/" } },
  pages: true,
  client: true,
})
