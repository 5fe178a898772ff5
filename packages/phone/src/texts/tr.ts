const texts: Readonly<Record<string, string>> = {
  title: "SMS ile oturum açın",
  other: "Başka bir numara kullan",
  expired: "Bu kod artık çalışmıyor. Yeni bir kod gönderin.",
  cantSend: "Bu numaraya kod gönderilemiyor.",
  current: "{number} numarasına gönderilen kodlarla oturum açabilirsiniz.",
  use: "Bu numarayı kullan",
  remove: "Bu numarayı kaldır",
  lastWay: "Numaranızı kaldırmadan önce hesabınıza bir e-posta ekleyin.",
  mailAdded: "Artık {number} numarasına gönderilen kodlarla hesabınızda oturum açabilirsiniz.",
  mailRemoved: "{number} numarasına gönderilen kodlar artık oturum açmaz.",
  send: "SMS ile kod gönder",
  phone: "Telefon numarası",
  code: "Kod",
  sent: "{to} adresine bir kod gönderildi. 10 dakika içinde girin.",
  verify: "Devam",
  wrong: "Bu kod yanlış veya daha önce kullanılmış.",
  invalid: "Ülke koduyla bir telefon numarası girin, örneğin +90 212 123 45 67.",
  notSent: "Kod gönderilemedi. Daha sonra tekrar deneyin.",
  message: "{code}, {app} için kodunuzdur. Kimseyle paylaşmayın.",
  account: "Hesabınıza gidin",
  mailNotYou:
    "Bu siz değildiyseniz, biri nasıl oturum açtığınızı biliyor olabilir. Oturum açın, bunu değiştirin ve diğer her yerde oturumu kapatın.",
}

export default texts
