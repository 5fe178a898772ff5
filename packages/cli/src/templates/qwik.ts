import type { FileToWrite } from "../project/files.js"
import { routesFolder } from "../project/mount.js"
import { depends, type Project } from "../project/project.js"

/** The packages of one major version of Qwik. */
interface Packages {
  readonly core: string
  readonly router: string
}

const version1: Packages = { core: "@builder.io/qwik", router: "@builder.io/qwik-city" }
const version2: Packages = { core: "@qwik.dev/core", router: "@qwik.dev/router" }

/** The files for Qwik 1 and 2: the plugin with the routes and the session, and a page that requires a session. */
export function qwikFiles({ root, manifest, typescript }: Project): FileToWrite[] {
  const packages = depends(manifest, version2.router) ? version2 : version1
  const routes = `${routesFolder(root)}/`
  const page = typed(packages)
  return [
    { path: `${routes}plugin@auth.${typescript ? "ts" : "js"}`, text: plugin },
    { path: `${routes}account/index.${typescript ? "tsx" : "jsx"}`, text: typescript ? page : untyped(page) },
  ]
}

const plugin = `import { QwikAuth$ } from "@latchkey/qwik"

export const { onRequest, requireSession, useSession, useSignIn, useSignOut } = QwikAuth$(() => ({
  security: "strict",
  providers: [],
}))
`

const typed = ({ core, router }: Packages) => `import { component$ } from "${core}"
import { Form, type RequestHandler } from "${router}"
import { requireSession, useSession, useSignOut } from "../plugin@auth"

/** Redirects visitors who aren't signed in to the sign-in page. */
export const onRequest: RequestHandler = async (event) => {
  await requireSession(event)
}

export default component$(() => {
  const session = useSession()
  const signOut = useSignOut()
  return (
    <main>
      <h1>Hello {session.value?.user?.name ?? session.value?.user?.email}</h1>
      <Form action={signOut}>
        <input type="hidden" name="redirectTo" value="/" />
        <button>Sign out</button>
      </Form>
    </main>
  )
})
`

function untyped(text: string): string {
  return text.replace(", type RequestHandler", "").replace(": RequestHandler", "")
}
