import { auth } from "../auth"

export async function getServerSideProps(context) {
  const session = await auth(context)
  return { props: { user: session?.user ?? null } }
}

export default function Props({ user }) {
  return <p id="user">{JSON.stringify(user)}</p>
}
