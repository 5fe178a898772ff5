import { auth, signIn, signOut, unstable_update } from "../auth"

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
    <>
      <p id="user">{JSON.stringify(session.user)}</p>
      <form
        action={async () => {
          "use server"
          await unstable_update({ user: { name: "Ada Lovelace" } })
        }}
      >
        <button>Rename</button>
      </form>
      <form
        action={async () => {
          "use server"
          await signOut({ redirectTo: "/" })
        }}
      >
        <button>Sign out</button>
      </form>
    </>
  )
}
