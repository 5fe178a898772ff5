import { auth } from "../auth.js"

export async function getServerSideProps(context) {
  const session = await auth(context)
  return { props: { name: session?.user.name ?? "visitor", locale: String(context.locale) } }
}

export default function Page({ name, locale }) {
  return (
    <main>
      <p id="user">{name}</p>
      <p id="locale">{locale}</p>
    </main>
  )
}
