import { auth } from "@/auth"
import { SignIn, SignOut } from "@/components/buttons"

export default async function Page() {
  const session = await auth()
  if (!session?.user) return <SignIn provider="keycloak" className="wide" />
  const { name, email, image } = session.user
  return (
    <main>
      <img src={image ?? "/placeholder.png"} alt={name ?? ""} />
      <p>{email}</p>
      <pre>{JSON.stringify(session, null, 2)}</pre>
      <SignOut />
    </main>
  )
}
