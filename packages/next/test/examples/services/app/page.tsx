import { auth, signIn, signOut } from "@/auth"

export default async function Page() {
  const session = await auth()
  if (session?.user?.id) {
    return (
      <form
        action={async () => {
          "use server"
          await signOut()
        }}
      >
        <button>
          {session.user.name} by way of {session.provider}
        </button>
      </form>
    )
  }
  return ["github", "google", "acme"].map((provider) => (
    <form
      key={provider}
      action={async () => {
        "use server"
        await signIn(provider, { redirectTo: "/dashboard" })
      }}
    >
      <button type="submit">Sign in with {provider}</button>
    </form>
  ))
}
