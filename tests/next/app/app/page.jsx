import { auth } from "../auth.js"
import { Who } from "./who.jsx"

export default async function Home() {
  const session = await auth()
  return (
    <main>
      <p id="page">{session?.user.name ?? "nobody"}</p>
      <Who />
    </main>
  )
}
