import { getServerAuthSession } from "../lib/auth"

export async function getServerSideProps(context) {
  const session = await getServerAuthSession(context)
  return { props: { shown: JSON.stringify({ ...session.user, tenant: session.tenant }) } }
}

export default function Dashboard({ shown }) {
  return <p id="user">{shown}</p>
}
