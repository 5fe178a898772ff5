import { auth, signIn, signOut } from "../auth"

export default async function Page() {
  const session = await auth()
  if (!session?.user) {
    return (
      <form
        action={async (formData) => {
          "use server"
          await signIn("credentials", formData)
        }}
      >
        <input aria-label="Username" name="username" />
        <input aria-label="Password" name="password" type="password" />
        <button>Sign in</button>
      </form>
    )
  }
  return (
    <form
      action={async () => {
        "use server"
        await signOut({ redirectTo: "/" })
      }}
    >
      <p id="user">{JSON.stringify(session.user)}</p>
      <button>Sign out</button>
    </form>
  )
}
