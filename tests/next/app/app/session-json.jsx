import { auth } from "../auth.js"

export async function SessionJson() {
  const session = await auth()
  return <pre id="session">{JSON.stringify(session)}</pre>
}
