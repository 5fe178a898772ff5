import { useRouter } from "next/router"

export const getServerSideProps = async () => ({ props: {} })

export default function Failed() {
  return <p id="error">{useRouter().query.error}</p>
}
