import { auth, signIn } from "@/auth"

export default async function Page() {
  const session = await auth()
  if (session?.error === "RefreshFailed") await signIn("acme")
  return <p>{session?.user?.name}</p>
}
