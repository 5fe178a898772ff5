export default function Page() {
  return <p>The proxied page</p>
}
