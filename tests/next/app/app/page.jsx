import { auth } from "../auth.js"
import { SessionJson } from "./session-json.jsx"

export default async function Home() {
  const session = await auth()
  return (
    <main>
      <p id="page">{session?.user.name ?? "visitor"}</p>
      <SessionJson />
    </main>
  )
}
