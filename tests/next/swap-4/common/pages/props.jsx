import { pagesSession } from "../auth"

export async function getServerSideProps({ req, res }) {
  const session = await pagesSession(req, res)
  return { props: { user: JSON.stringify(session?.user ?? null) } }
}

export default function Props({ user }) {
  return <p id="user">{user}</p>
}
