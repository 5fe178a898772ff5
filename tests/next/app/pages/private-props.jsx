export { getServerSideProps } from "./props.jsx"

export default function Private({ session }) {
  return <p>the private page of {session?.user.name ?? "visitor"}</p>
}
