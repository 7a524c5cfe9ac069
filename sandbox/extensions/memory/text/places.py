"""Places by name, English, Russian and German, and how large they are.

A small gazetteer of continents, countries with some of their states, and cities: for telling "lives in Germany" and
"lives in Berlin", which can both hold, from two cities, which cannot. Russian names are compared by their stems, so
that ``в Германии`` is found. A name that is not here is of no known size.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

from sandbox.extensions.memory.text.words import fold, stemmed_name

Size = Literal["continent", "country", "city"]

_CONTINENTS = """
    Africa, Antarctica, Asia, Australia, Eurasia, Europe, North America, Oceania, South America,
    Африка, Антарктида, Азия, Австралия, Евразия, Европа, Северная Америка, Южная Америка
"""

_COUNTRIES = """
    Afghanistan, Albania, Algeria, America, Angola, Argentina, Armenia, Austria, Azerbaijan, Bangladesh, Belarus,
    Belgium, Bolivia, Bosnia, Botswana, Brazil, Britain, Bulgaria, Cambodia, Cameroon, Canada, Chile, China, Colombia,
    Congo, Costa Rica, Croatia, Cuba, Cyprus, Czech Republic, Czechia, Denmark, Ecuador, Egypt, England, Estonia,
    Ethiopia, Finland, France, Georgia, Germany, Ghana, Great Britain, Greece, Hungary, Iceland, India, Indonesia,
    Iran, Iraq, Ireland, Israel, Italy, Jamaica, Japan, Jordan, Kazakhstan, Kenya, Korea, Kuwait, Kyrgyzstan, Laos,
    Latvia, Lebanon, Libya, Liechtenstein, Lithuania, Luxembourg, Madagascar, Malaysia, Malta, Mexico, Moldova, Monaco,
    Mongolia, Montenegro, Morocco, Mozambique, Myanmar, Namibia, Nepal, Netherlands, New Zealand, Nicaragua, Nigeria,
    North Korea, North Macedonia, Northern Ireland, Norway, Pakistan, Palestine, Panama, Paraguay, Peru, Philippines,
    Poland, Portugal, Qatar, Romania, Russia, Rwanda, Saudi Arabia, Scotland, Senegal, Serbia, Singapore, Slovakia,
    Slovenia, Somalia, South Africa, South Korea, Soviet Union, Spain, Sri Lanka, Sudan, Sweden, Switzerland, Syria,
    Taiwan, Tajikistan, Tanzania, Thailand, Tunisia, Turkey, Turkmenistan, UAE, Uganda, UK, Ukraine, United Arab
    Emirates, United Kingdom, United States, United States of America, Uruguay, US, USA, USSR, Uzbekistan, Venezuela,
    Vietnam, Wales, Yemen, Zambia, Zimbabwe,
    Alabama, Alaska, Arizona, Arkansas, Bavaria, California, Catalonia, Colorado, Connecticut, Delaware, Florida,
    Hawaii, Idaho, Illinois, Indiana, Iowa, Kansas, Kentucky, Louisiana, Maine, Maryland, Massachusetts, Michigan,
    Minnesota, Mississippi, Missouri, Montana, Nebraska, Nevada, New Hampshire, New Jersey, New Mexico, New South
    Wales, North Carolina, North Dakota, Ohio, Oklahoma, Ontario, Oregon, Pennsylvania, Quebec, Queensland, Rhode
    Island, Saxony, Sicily, South Carolina, South Dakota, Tennessee, Texas, Tuscany, Utah, Vermont, Virginia, West
    Virginia, Wisconsin, Wyoming,
    Deutschland, Österreich, Schweiz, Frankreich, Italien, Spanien, Griechenland, Türkei, Polen, Tschechien, Ungarn,
    Rumänien, Bulgarien, Kroatien, Slowenien, Slowakei, Serbien, Russland, Niederlande, Holland, Belgien, Luxemburg,
    Dänemark, Schweden, Norwegen, Finnland, Irland, Schottland, Großbritannien, Ägypten, Marokko, Südafrika,
    Indien, Japan, Brasilien, Argentinien, Mexiko, Kanada, Kolumbien, Australien, Neuseeland, Georgien, Bayern,
    Sachsen, Thüringen, Hessen, Brandenburg, Niedersachsen, Schleswig-Holstein, Baden-Württemberg, Nordrhein-Westfalen,
    Mecklenburg-Vorpommern, Rheinland-Pfalz, Sachsen-Anhalt, Saarland, Tirol, Südtirol, Vorarlberg, Steiermark, Kärnten,
    Burgenland, Bretagne, Normandie, Provence, Toskana, Sizilien, Sardinien, Kreta, Mallorca, Korsika, Andalusien,
    Австрия, Азербайджан, Албания, Алжир, Америка, Англия, Аргентина, Армения, Афганистан, Беларусь, Бельгия, Болгария,
    Босния, Бразилия, Великобритания, Венгрия, Венесуэла, Вьетнам, Германия, Голландия, Греция, Грузия, Дания, Египет,
    Израиль, Индия, Индонезия, Ирак, Иран, Ирландия, Исландия, Испания, Италия, Казахстан, Канада, Кипр, Киргизия,
    Китай, Корея, Куба, Латвия, Ливан, Ливия, Литва, Люксембург, Малайзия, Мальта, Марокко, Мексика, Молдавия, Молдова,
    Монголия, Нидерланды, Новая Зеландия, Норвегия, ОАЭ, Пакистан, Перу, Польша, Португалия, Россия, Румыния,
    Саудовская Аравия, Северная Корея, Сербия, Сингапур, Сирия, Словакия, Словения, СССР, США, Таджикистан, Таиланд,
    Тайвань, Тунис, Туркмения, Турция, Узбекистан, Украина, Уругвай, Филиппины, Финляндия, Франция, Хорватия,
    Черногория, Чехия, Чили, Швейцария, Швеция, Шотландия, Эстония, Эфиопия, ЮАР, Южная Корея, Япония
"""

_CITIES = """
    Aberdeen, Adelaide, Albuquerque, Almaty, Amman, Amsterdam, Ankara, Antwerp, Astana, Athens, Atlanta, Auckland,
    Austin, Baghdad, Baltimore, Bangkok, Barcelona, Bath, Beijing, Beirut, Belfast, Belgrade, Bergen, Berlin, Bern,
    Bilbao, Birmingham, Bogota, Bologna, Bonn, Bordeaux, Boston, Boulder, Bradford, Bratislava, Bremen, Brighton,
    Brisbane, Bristol, Brno, Bruges, Brussels, Bucharest, Budapest, Buenos Aires, Buffalo, Cairo, Calgary, Cambridge,
    Canberra, Cape Town, Cardiff, Casablanca, Charlotte, Chennai, Chicago, Cincinnati, Cleveland, Cologne, Copenhagen,
    Cork, Cusco, Dallas, Damascus, Delhi, Denver, Detroit, Dhaka, Dresden, Dubai, Dublin, Durham, Dusseldorf,
    Düsseldorf, Edinburgh, Eindhoven, Essen, Exeter, Faro, Florence, Frankfurt, Galway, Gdansk, Geneva, Genoa, Ghent,
    Glasgow, Gothenburg, Granada, Graz, Grenoble, Haifa, Halifax, Hamburg, Hanoi, Hanover, Havana, Heidelberg,
    Helsinki, Hong Kong, Honolulu, Houston, Hyderabad, Indianapolis, Innsbruck, Istanbul, Jakarta, Jerusalem,
    Johannesburg, Kabul, Kansas City, Karachi, Kathmandu, Kazan, Kolkata, Krakow, Kraków, Kuala Lumpur, Kyiv, Kyoto,
    Köln, Lagos, Lahore, Las Vegas, Lausanne, Leeds, Leicester, Leipzig, Lille, Lima, Linz, Lisbon, Liverpool,
    Ljubljana, Lodz, London, Los Angeles, Louisville, Luzern, Lyon, Madrid, Malaga, Malmö, Manchester, Manila,
    Marseille, Melbourne, Memphis, Mexico City, Miami, Milan, Milwaukee, Minneapolis, Minsk, Montevideo, Montreal,
    Moscow, Mumbai, Munich, München, Nagoya, Nairobi, Nanjing, Nantes, Naples, Nashville, New Delhi, New Orleans, New
    York, New York City, Newcastle, Nice, Norwich, Nottingham, Novosibirsk, Nuremberg, Oakland, Odesa, Osaka, Oslo,
    Ottawa, Oxford, Palermo, Palo Alto, Paris, Perth, Philadelphia, Phoenix, Pittsburgh, Plymouth, Portland, Porto,
    Potsdam, Poznan, Prague, Pune, Quito, Raleigh, Reykjavik, Richmond, Riga, Rio de Janeiro, Rome, Rostock, Rotterdam,
    Sacramento, Saint Petersburg, Salt Lake City, Salzburg, San Antonio, San Diego, San Francisco, San Jose, Santiago,
    Sao Paulo, Sapporo, Sarajevo, Seattle, Seoul, Seville, Shanghai, Sheffield, Shenzhen, Skopje, Sochi, Sofia,
    Southampton, Split, St. Petersburg, Stockholm, Strasbourg, Stuttgart, Sydney, Tallinn, Tampa, Tbilisi, Tehran, Tel
    Aviv, The Hague, Thessaloniki, Tokyo, Toronto, Toulouse, Trieste, Tucson, Turin, Utrecht, Valencia, Vancouver,
    Venice, Verona, Vienna, Vilnius, Warsaw, Washington, Wellington, Wroclaw, Wuhan, Yekaterinburg, Yerevan, York,
    Zagreb, Zurich, Zürich,
    Aachen, Augsburg, Bamberg, Basel, Bayreuth, Bielefeld, Bochum, Bottrop, Braunschweig, Bregenz, Bremerhaven, Brüssel,
    Celle, Chemnitz, Coburg, Cottbus, Darmstadt, Dessau, Detmold, Dortmund, Duisburg, Eisenach, Erfurt, Erlangen,
    Esslingen, Flensburg, Florenz, Frankfurt am Main, Freiburg, Freising, Fulda, Fürth, Gelsenkirchen, Genf, Gera,
    Gießen, Görlitz, Göttingen, Greifswald, Gütersloh, Hagen, Halle, Hameln, Hamm, Hanau, Hannover, Heilbronn, Herne,
    Hildesheim, Ingolstadt, Jena, Kaiserslautern, Karlsruhe, Kassel, Kempten, Kiel, Klagenfurt, Koblenz, Konstanz,
    Kopenhagen, Krefeld, Landshut, Leverkusen, Lissabon, Lörrach, Ludwigsburg, Ludwigshafen, Lübeck, Lüneburg,
    Magdeburg, Mailand, Mainz, Mannheim, Marburg, Mönchengladbach, Moskau, Mülheim, Münster, Neapel, Neuss, Nürnberg,
    Oberhausen, Offenbach, Offenburg, Oldenburg, Osnabrück, Paderborn, Passau, Pforzheim, Plauen, Prag, Ravensburg,
    Recklinghausen, Regensburg, Remscheid, Reutlingen, Rom, Rosenheim, Saarbrücken, Salzgitter, Schweinfurt, Schwerin,
    Siegen, Solingen, St. Gallen, Straßburg, Stralsund, Trier, Tübingen, Ulm, Venedig, Warschau, Weimar, Wien,
    Wiesbaden, Winterthur, Wismar, Wolfsburg, Wuppertal, Würzburg, Zwickau, Athen, Bukarest, Peking, Tokio, Singapur,
    Kapstadt, Kairo, Havanna, Danzig, Breslau, Krakau, Turin, Bozen, Meran, Sevilla,
    Алматы, Амстердам, Архангельск, Астана, Астрахань, Афины, Баку, Барнаул, Барселона, Белград, Берген, Берлин,
    Бишкек, Бонн, Братислава, Брест, Брюссель, Брянск, Будапешт, Бухарест, Варна, Варшава, Великий Новгород, Вена,
    Вильнюс, Владивосток, Владимир, Волгоград, Вологда, Воронеж, Гамбург, Гомель, Грозный, Дрезден, Дубай, Дублин,
    Екатеринбург, Ереван, Женева, Иваново, Ижевск, Иркутск, Казань, Калининград, Калуга, Кемерово, Киев, Киров,
    Копенгаген, Кострома, Краков, Краснодар, Красноярск, Курск, Лейпциг, Лион, Липецк, Лиссабон, Лондон, Львов,
    Магадан, Магнитогорск, Мадрид, Мельбурн, Милан, Минск, Москва, Мурманск, Мюнхен, Набережные Челны, Неаполь, Нижний
    Новгород, Новосибирск, Нью-Йорк, Омск, Оренбург, Орёл, Осло, Париж, Пекин, Пенза, Пермь, Петербург, Петрозаводск,
    Порту, Потсдам, Прага, Псков, Рига, Рим, Ростов-на-Дону, Рязань, Салоники, Самара, Санкт-Петербург, Саратов,
    Севастополь, Симферополь, Смоленск, София, Сочи, Ставрополь, Стамбул, Стокгольм, Сургут, Таганрог, Таллин, Тамбов,
    Ташкент, Тбилиси, Тверь, Тель-Авив, Токио, Тольятти, Томск, Тула, Тюмень, Улан-Удэ, Ульяновск, Уфа, Флоренция,
    Франкфурт, Хабаровск, Харьков, Хельсинки, Цюрих, Чебоксары, Челябинск, Череповец, Чикаго, Чита, Шанхай, Штутгарт,
    Эдинбург, Якутск, Ярославль
"""


def size(name: str) -> Size | None:
    """How large the place of that name is, inflected or not; None for a name that is not known."""
    return _SIZES.get(_key(name))


def nominative(name: str) -> str:
    """The name of a place as it is listed: ``Москве`` is Москва; one that is not known stays as it is."""
    return name if name.isascii() else _LISTED.get(_key(name), name)


@lru_cache(maxsize=1 << 12)
def _key(name: str) -> str:
    folded = fold(name)
    return folded if folded.isascii() else stemmed_name(folded)


def _named(size: Size, names: str) -> Iterable[tuple[str, Size]]:
    return ((_key(" ".join(name.split())), size) for name in names.split(",") if name.strip())


_SIZES: dict[str, Size] = {
    **dict(_named("city", _CITIES)),
    **dict(_named("country", _COUNTRIES)),
    **dict(_named("continent", _CONTINENTS)),
}

_LISTED = {
    _key(name): name for names in (_COUNTRIES, _CITIES) for each in names.split(",") if (name := " ".join(each.split()))
}
