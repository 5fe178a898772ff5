export default function Private() {
  return <h1>the private page</h1>
}
