import { auth } from "../auth.js"

export async function getServerSideProps(context) {
  return { props: { session: await auth(context) } }
}

export default function Props({ session }) {
  return <pre id="session">{JSON.stringify(session)}</pre>
}
