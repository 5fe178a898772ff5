import { serverSession } from "../../auth"

export default async function Page() {
  const session = await serverSession()
  return <p id="user">{JSON.stringify(session?.user ?? null)}</p>
}
