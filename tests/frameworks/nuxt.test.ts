import { stepUp } from "./step-up.js"
import { frameworkSuite } from "./suite.js"

frameworkSuite(
  {
    id: "nuxt",
    name: "Nuxt",
    major: 4,
    versions: ["nuxt", "vue"],
    example: "nuxt",
    build: [["nuxt", "build"]],
    start: ["node", ".output/server/index.mjs"],
    files: {
      "server/routes/transfer.get.ts": `export default defineEventHandler(async (event) => {
  const { user } = await auth.requireSession(event, { maxAge: "1h" })
  setResponseHeader(event, "content-type", "text/html")
  return \`<p id="account">\${user.email}</p>\`
})
`,
      "server/api/transfer.get.ts": `export default defineEventHandler(async (event) => {
  const { user } = await auth.requireSession(event, { maxAge: "1h" })
  const { problem } = await auth.token(event, "op")
  return { email: user.email, problem }
})
`,
    },
    below: { env: { NUXT_APP_BASE_URL: "/docs/" } },
    pages: true,
    client: true,
  },
  stepUp,
)
