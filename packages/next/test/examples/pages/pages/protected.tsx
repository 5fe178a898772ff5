import { auth } from "@/auth"
import type { GetServerSideProps, GetServerSidePropsContext, InferGetServerSidePropsType } from "next"
import { useSession } from "next-auth/react"

export const getServerSideProps = (async (context) => {
  const session = await auth(context)
  if (!session) return { redirect: { destination: "/api/auth/signin", permanent: false } }
  return { props: { session } }
}) satisfies GetServerSideProps

export async function otherwise(context: GetServerSidePropsContext) {
  return { props: { session: await auth(context) } }
}

export default function Page({ session }: InferGetServerSidePropsType<typeof getServerSideProps>) {
  const { status } = useSession({ required: true })
  return <p>{status === "authenticated" ? session.user?.name : "One moment"}</p>
}
