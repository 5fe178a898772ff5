export default function Admin() {
  return <p id="user">the admin page</p>
}
