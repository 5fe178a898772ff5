const texts: Readonly<Record<string, string>> = {
  title: "{client} uygulamasında oturum aç",
  asks: "{client}, {app} hesabınızla oturumunuzu açmak istiyor. Yalnızca bu sayfayı uygulamadan açtıysanız devam edin.",
  as: "{user} olarak oturum açtınız.",
  continue: "Devam et",
  cancel: "İptal",
  unknown: "Bu istek yanıtlanamıyor",
  unknownText:
    "Bu sayfayı açan uygulama burada bilinmiyor ya da isteği geçersiz veya çok eski. Uygulamaya geri dönüp yeniden deneyin.",
  apps: "Uygulamalar",
  app: "{client}, {date} tarihinden beri",
  end: "{client} oturumunu kapat",
}

export default texts
