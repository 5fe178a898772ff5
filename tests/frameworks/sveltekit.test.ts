import { exampleOf } from "./guide.js"
import { ownSignInPage } from "./own-sign-in.js"
import { prerenderedPage } from "./prerendered.js"
import { stepUp } from "./step-up.js"
import { frameworkSuite } from "./suite.js"

frameworkSuite(
  {
    id: "sveltekit",
    name: "SvelteKit",
    major: 3,
    versions: ["@sveltejs/kit", "@sveltejs/adapter-node"],
    example: "sveltekit-custom",
    build: [["vite", "build"]],
    start: ["node", "serve.mjs"],
    ownServer: "`@sveltejs/adapter-node` assumes HTTPS, unless a proxy sends a header with the scheme",
    files: {
      "src/hooks.server.ts": exampleOf("sveltekit", "event.route.id"),
      "src/routes/transfer/+page.server.ts": `import { requireSession } from "../../auth"

export const load = async (event) => ({ user: (await requireSession(event, { maxAge: "1h" })).user })
`,
      "src/routes/transfer/+page.svelte": `<script>
const { data } = $props()
</script>

<p id="account">{data.user.email}</p>
`,
      "src/routes/api/transfer/+server.ts": `import { auth } from "../../../auth"

export const GET = async (event) => {
  const { user } = await auth.requireSession(event, { maxAge: "1h" })
  const { problem } = await auth.token(event, "op")
  return Response.json({ email: user.email, problem })
}
`,
      "src/routes/admin/+page.svelte": '<p id="account">Admin</p>',
      "src/routes/prerendered/+page.server.ts": `import { csrfToken } from "../../auth"

export const prerender = true

export const load = async (event) => {
  const session = await event.locals.auth()
  return { email: session?.user.email ?? "Not signed in", csrfToken: await csrfToken(event) }
}
`,
      "src/routes/prerendered/+page.svelte": `<script>
const { data } = $props()
</script>

<p id="user">{data.email}</p>
`,
    },
    below: {
      files: {
        // The links of the example don't have the base, and the build follows those of a prerendered page.
        "src/routes/prerendered/+page.server.ts": "export const load = () => ({})\n",
        "vite.config.ts": `import adapter from "@sveltejs/adapter-node"
import { sveltekit } from "@sveltejs/kit/vite"

export default { plugins: [sveltekit({ adapter: adapter(), paths: { base: "/docs" } })] }
`,
      },
    },
    script: { headers: { "x-sveltekit-action": "true", accept: "application/json" } },
    pages: true,
    client: true,
  },
  (served) => {
    ownSignInPage(served)
    prerenderedPage(served)
    stepUp(served)
  },
)
