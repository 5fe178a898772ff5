import { auth } from "../auth.js"

/** Asks for itself, as components do that do not know where they are used. */
export async function Who() {
  const session = await auth()
  return <pre id="who">{JSON.stringify(session)}</pre>
}
